/** The kernel's version from its package.json. Plugins declare the range of versions they support. */
export const KERNEL_VERSION = '0.1.0';
