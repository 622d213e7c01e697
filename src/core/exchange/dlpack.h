/* SPDX-License-Identifier: MIT */
/* DLPack: tensors for and from other libraries in the same process, without a copy. A managed
** tensor is a struct behind a pointer; the holder of the pointer calls its deleter, once.
**
** Source: https://dmlc.github.io/dlpack/latest/c_api.html */
#ifndef LOCUS_DLPACK_H
#define LOCUS_DLPACK_H

#include "core/tensor.h"

/* A managed tensor over the tensor's elements, which keeps its storage: a DLManagedTensorVersioned
** of version 1, or a DLManagedTensor. Waits for the tensor's device. Errors: bytes whose owner only
** the binding keeps alive; a read-only tensor for the older struct, which has no flag for it. */
int locus_dlpack_export(const locus_tensor *tensor, bool versioned, void **made, locus_context *cx);

/* A tensor over the elements of a managed tensor, whose deleter is called when the storage goes. On
** failure the caller still holds it. Errors: a version, device or dtype that is not known here;
** elements that are not aligned or that the device does not reach; negative strides. The other
** library's work on the device need not have ended; the caller waits for it. Unsigned integers of
*16
** to 64 bits come as the bits of signed ones, and *is_unsigned says so. */
int locus_dlpack_import(locus_tensor *tensor, void *managed, bool versioned, bool *is_unsigned,
                        locus_context *cx);

/* Has the caller hold the managed tensor of an imported one again: its deleter is not called. */
void locus_dlpack_give_back(const locus_tensor *tensor);

#endif
