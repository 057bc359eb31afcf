#!/usr/bin/env node
// This file is in git, unlike the build output: npm links a program only if it exists during installation.
await import('../dist/cli.js');
