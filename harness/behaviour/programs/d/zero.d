import std.stdio;
void main()
{
    int n;
    readf(" %d", &n);
    writeln(100 / n);
}
