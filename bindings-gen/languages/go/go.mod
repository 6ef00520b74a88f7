module ctorch

go 1.18
