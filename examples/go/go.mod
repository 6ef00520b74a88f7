// From a build of ctorch in build/cmake, in this folder:
//   PKG_CONFIG_PATH=… go run . -data ../data
//   PKG_CONFIG_PATH=… go run ./image_folder ../data/shapes
//   PKG_CONFIG_PATH=… go run ./gpt ../data/sonnets.txt 200
//   PKG_CONFIG_PATH=… go run ./rate_reviews tokenizer.json runs/reviews
module train_digits

go 1.18

require ctorch v0.0.0

replace ctorch => ../../build/cmake/generated/bindings/go
