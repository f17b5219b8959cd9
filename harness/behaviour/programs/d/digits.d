import std.bigint, std.stdio, std.string;
void main()
{
    writeln(BigInt(readln().strip()) + 1);
}
