/* A libcuda.so.1 for accelerator_test.cpp: two devices, of which the second breaks when it is asked for its name. */
#include <string.h>

typedef int CUresult;
typedef int CUdevice;

CUresult cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 100 + ordinal;
  return 0;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device) {
  if (device != 100) {
    return 999;
  }
  strncpy(name, "Pretended GPU", (size_t)len);
  return 0;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 1 : attribute == 16 ? device - 100 + 132 : -1;
  return 0;
}
