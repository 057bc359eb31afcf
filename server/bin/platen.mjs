#!/usr/bin/env node
// Stands in git, unlike what the build makes: npm links only a program that is there when it installs.
await import('../dist/cli.js');
