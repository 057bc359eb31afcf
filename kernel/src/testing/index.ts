export { createTestKernel, type TestKernel, type TestKernelOptions, type TestRender } from './test-kernel.js';
export { generateManifest } from './manifest.js';
export { pluginContract, type ContractCheck, type ContractSubject } from './plugin-contract.js';
