import std.stdio;
void main()
{
    int n, x;
    readf(" %d", &n);
    foreach (_; 0 .. n)
    {
        readf(" %d", &x);
        writeln(x);
    }
}
