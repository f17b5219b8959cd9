import std.stdio;
void main()
{
    int n;
    readf(" %d", &n);
    assert(n > 0);
    writeln("after");
}
