// As an output validator: input, answer, feedback folder, and the output on standard input; 42 accepts, 43 rejects.
int main(int count, char** args) {
    if (count < 3) return 1;
    std::ifstream answer(args[2], std::ios::binary);
    if (!answer) return 1;
    return same(text_of(std::cin), text_of(answer)) ? 42 : 43;
}
