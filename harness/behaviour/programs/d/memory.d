void main()
{
    ubyte[][] blocks;
    for (;;)
    {
        auto block = new ubyte[1 << 20];
        block[] = 1;
        blocks ~= block;
    }
}
