/** The kernel's version, that of its package.json: plugins name the range of kernels they are made for. */
export const KERNEL_VERSION = '0.1.0';
