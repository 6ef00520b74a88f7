// Package npz is NumPy's files of arrays by their names (numpy.savez, numpy.savez_compressed, numpy.load).
package npz

import "ctorch"

// SaveFile writes a file, sorted by name. Unlike in Python nothing is appended to the file's.
//
// C: ctorch_npz_write_file
func SaveFile(tensors map[string]*ctorch.Tensor, compressed bool, path string) error {
	dict, err := ctorch.ValueOf(tensors)
	if err != nil {
		return err
	}
	defer dict.Close()
	return ctorch.NpzWriteFile(dict, compressed, path)
}

// Save is what SaveFile would write.
//
// C: ctorch_npz_write
func Save(tensors map[string]*ctorch.Tensor, compressed bool) ([]byte, error) {
	dict, err := ctorch.ValueOf(tensors)
	if err != nil {
		return nil, err
	}
	defer dict.Close()
	return ctorch.Written(func(writer *ctorch.Writer) error { return ctorch.NpzWrite(writer, dict, compressed) })
}

// LoadFile is all tensors of a file.
//
// C: ctorch_weights_tensor
func LoadFile(path string) (map[string]*ctorch.Tensor, error) {
	weights, err := ctorch.OpenWeights(path, false)
	return tensors(weights, err)
}

// Load is all tensors of the bytes of a file.
//
// C: ctorch_weights_tensor
func Load(data []byte) (map[string]*ctorch.Tensor, error) {
	weights, err := ctorch.WeightsOf(data)
	return tensors(weights, err)
}

func tensors(weights *ctorch.Weights, err error) (map[string]*ctorch.Tensor, error) {
	if err != nil {
		return nil, err
	}
	defer weights.Close()
	return weights.Tensors()
}
