module example.com/countersign-quickstart

go 1.19
