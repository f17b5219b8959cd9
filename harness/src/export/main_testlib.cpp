// As testlib: input, output, answer; 0 accepts, 1 rejects, 3 is a fault.
int main(int count, char** args) {
    if (count < 4) return 3;
    std::ifstream output(args[2], std::ios::binary), answer(args[3], std::ios::binary);
    if (!output || !answer) return 3;
    bool accepted = same(text_of(output), text_of(answer));
    std::cerr << (accepted ? "ok the output is correct" : "wrong answer the output differs from the answer") << std::endl;
    return accepted ? 0 : 1;
}
