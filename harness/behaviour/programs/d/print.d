import std.stdio;
void main()
{
    foreach (i; 1 .. 1_000_001)
        writeln(i);
}
