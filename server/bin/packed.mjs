#!/usr/bin/env node
// The program of the package from npm: `npm run pack` copies it into "bin", beside "dist".
import { keepCompiledCode } from './keep-compiled-code.mjs';

keepCompiledCode();
await import('../dist/modules/cli.mjs');
