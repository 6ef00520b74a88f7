// Package npy is NumPy's files of one array (numpy.save, numpy.load).
package npy

import "ctorch"

// SaveFile writes a file. Unlike in Python nothing is appended to its name.
//
// C: ctorch_npy_write_file
func SaveFile(tensor *ctorch.Tensor, path string) error { return ctorch.NpyWriteFile(tensor, path) }

// Save is what SaveFile would write.
//
// C: ctorch_npy_write
func Save(tensor *ctorch.Tensor) ([]byte, error) {
	return ctorch.Written(func(writer *ctorch.Writer) error { return ctorch.NpyWrite(writer, tensor) })
}

// LoadFile is the tensor of a file.
//
// C: ctorch_weights_tensor
func LoadFile(path string) (*ctorch.Tensor, error) {
	weights, err := ctorch.OpenWeights(path, false)
	return tensor(weights, err)
}

// Load is the tensor of the bytes of a file.
//
// C: ctorch_weights_tensor
func Load(data []byte) (*ctorch.Tensor, error) {
	weights, err := ctorch.WeightsOf(data)
	return tensor(weights, err)
}

func tensor(weights *ctorch.Weights, err error) (*ctorch.Tensor, error) {
	if err != nil {
		return nil, err
	}
	defer weights.Close()
	return weights.Tensor("")
}
