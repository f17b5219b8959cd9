say get.Int + 1;
