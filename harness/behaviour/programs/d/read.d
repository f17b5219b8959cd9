import std.conv, std.stdio, std.string;
void main()
{
    const n = readln().strip().to!int;
    const line = readln().chomp();
    writeln(n + 1);
    writeln(line.length);
}
