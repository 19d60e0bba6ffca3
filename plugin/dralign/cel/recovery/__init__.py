"""What is wrong with a broken expression, in the words and at the places of the parser that ANTLR makes for cel-go."""
