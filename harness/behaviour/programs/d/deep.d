import std.algorithm, std.stdio;
long depth(long n)
{
    return n == 0 ? 0 : 1 + max(depth(n - 1), depth(0));
}
void main()
{
    long n;
    readf(" %d", &n);
    writeln(depth(n));
}
