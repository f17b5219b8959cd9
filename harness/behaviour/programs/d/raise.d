import std.stdio;
void main()
{
    writeln("before");
    throw new Exception("sorry");
}
