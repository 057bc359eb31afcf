// Checks the law of arrows (dependency-cruiser.cjs) over every source file. A gate that sees nothing passes silently, so this one counts
// what it saw and shows, on a miniature of the tree in which each rule is broken once, that each rule is able to say no.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { BREACHES, MINIATURE } from './layers-breaches.mjs';

const root = resolve(import.meta.dirname, '..');
const config = createRequire(import.meta.url)('./dependency-cruiser.cjs');

/** Folders named `src` of all workspaces below a root, relative to it. */
function sourceFolders(base) {
  const list = (folder) => readdirSync(join(base, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const families = list('plugins').flatMap(({ name }) => list(join('plugins', name)).map((plugin) => join('plugins', name, plugin.name)));
  const workspaces = ['schema', 'kernel', 'server', 'plugin-template', ...families];
  return workspaces.filter((workspace) => list(workspace).some(({ name }) => name === 'src')).map((workspace) => join(workspace, 'src'));
}

function sourceFiles(base, folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(base, join(entry.parentPath ?? entry.path, entry.name))),
  );
  return files;
}

async function cruiseTree(base, folders) {
  const { enhancedResolveOptions, ...options } = config.options;
  process.chdir(base);
  const ruleSet = { forbidden: config.forbidden };
  const { output } = await cruise(folders, { ...options, ruleSet, validate: true, baseDir: base }, { ...enhancedResolveOptions });
  return output;
}

/** The edges between workspaces that a tree of any size has: none seen would mean that package names lead nowhere. */
function countCrossings(modules) {
  const workspace = (path) => path.split('/src/')[0];
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ resolved }) => resolved.includes('/src/') && workspace(resolved) !== workspace(source)),
  ).length;
}

async function checkTree() {
  const folders = sourceFolders(root);
  const files = sourceFiles(root, folders);
  const { summary, modules } = await cruiseTree(root, folders);
  const seen = new Set(modules.map(({ source }) => source));
  const unseen = files.filter((file) => !seen.has(file));
  if (files.length === 0 || unseen.length > 0) {
    throw new Error(`the checker did not see ${unseen.length} of ${files.length} source files: ${unseen.slice(0, 5).join(', ')}`);
  }
  const crossings = countCrossings(modules);
  if (crossings < folders.length - 1) throw new Error(`the checker saw only ${crossings} imports between ${folders.length} workspaces`);
  if (summary.violations.length > 0) {
    const comment = new Map(config.forbidden.map((rule) => [rule.name, rule.comment]));
    const lines = summary.violations.map(({ rule, from, to }) => `  ${from} -> ${to}\n    ${rule.name}: ${comment.get(rule.name)}`);
    throw new Error(`${lines.length} forbidden dependencies\n${lines.join('\n')}`);
  }
  return { modules: files.length, dependencies: summary.totalDependenciesCruised };
}

/** Builds the miniature inside the clone, so that packages resolve as they do in the tree. */
function buildMiniature(base) {
  const write = (path, text) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  write('package.json', JSON.stringify({ type: 'module', workspaces: Object.keys(MINIATURE) }));
  for (const [folder, name] of Object.entries(MINIATURE)) {
    const { exports } = JSON.parse(readFileSync(join(root, 'kernel/package.json'), 'utf8'));
    const entries = { ...exports, './keys': './src/keys.ts', './signing': './src/signing/index.ts' };
    write(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: entries }));
    write(join(folder, 'src/index.ts'), 'export const here = 1;\n');
    mkdirSync(join(base, 'node_modules', dirname(name)), { recursive: true });
    symlinkSync(join(base, folder), join(base, 'node_modules', name));
  }
  for (const { file, text } of BREACHES) write(file, text);
}

/** Every rule must be broken where the miniature breaks it, and nowhere where it does not. */
async function checkRules() {
  const scratch = join(root, '.runtime');
  mkdirSync(scratch, { recursive: true });
  const base = mkdtempSync(join(scratch, 'layers-'));
  try {
    buildMiniature(base);
    const { summary } = await cruiseTree(base, sourceFolders(base));
    const found = new Set(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
    for (const { rule, file } of BREACHES) {
      if (rule && !found.has(`${rule} ${file}`)) throw new Error(`the rule "${rule}" did not report its breach in ${file}`);
      if (rule === undefined && [...found].some((entry) => entry.endsWith(` ${file}`)))
        throw new Error(`${file} is allowed, and was reported`);
    }
    const unproven = config.forbidden.filter(({ name }) => !BREACHES.some(({ rule }) => rule === name));
    if (unproven.length > 0) throw new Error(`no breach proves the rule "${unproven[0].name}": add one to layers-breaches.mjs`);
  } finally {
    process.chdir(root);
    rmSync(base, { recursive: true, force: true });
  }
}

try {
  await checkRules();
  const { modules, dependencies } = await checkTree();
  console.log(
    `${modules} modules, ${dependencies} dependencies, no violations; negative test reported all ${config.forbidden.length} rules`,
  );
} catch (error) {
  console.error(`layers: ${error.message}`);
  process.exitCode = 1;
}
