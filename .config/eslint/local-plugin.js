// The house rules that need more than a pattern.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.(ts|js|mjs|cjs)$/;
const SAYS_NOTHING = /^(utils?|helpers?|common|misc|shared)\./;

const fileName = {
  meta: { type: 'problem', schema: [{ type: 'object', properties: { source: { type: 'boolean' } }, additionalProperties: false }] },
  create(context) {
    const name = context.filename.split(/[\\/]/).at(-1) ?? '';
    const { source = false } = context.options[0] ?? {};
    return {
      Program(node) {
        if (!KEBAB.test(name)) context.report({ node, message: `File names are kebab-case: "${name}" is not.` });
        if (source && SAYS_NOTHING.test(name)) {
          context.report({ node, message: `"${name}" says nothing of what is in it: name the file after its one concern.` });
        }
      },
    };
  },
};

const reasonedDisable = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const text = comment.value.trim();
          if (!/^(eslint|oxlint)-disable/.test(text)) continue;
          const { loc } = comment;
          if (!/^(eslint|oxlint)-disable(-next-line|-line)?\s+[\w@]/.test(text)) {
            context.report({ loc, message: 'Name the rule that is switched off: `eslint-disable-next-line rule -- reason`.' });
          } else if (!/\s--\s+\S/.test(text)) {
            context.report({ loc, message: 'Say why the rule is switched off: `eslint-disable-next-line rule -- reason`.' });
          }
        }
      },
    };
  },
};

/** Output types that the package of a file declares in its package.json. */
function ownOutputs(filename) {
  for (let folder = dirname(filename); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { platen = {} } = JSON.parse(readFileSync(file, 'utf8'));
    return (platen.plugins ?? [platen]).flatMap(({ outputs = [] }) => outputs);
  }
  return [];
}

/** `outputType`, `params.output_type`, `output.type`, `plan.output.type`. */
function isOutputType(node) {
  if (node.type === 'Identifier') return node.name === 'outputType';
  if (node.type !== 'MemberExpression') return false;
  if (['outputType', 'output_type'].includes(node.property.name)) return true;
  return node.property.name === 'type' && (node.object.name === 'output' || node.object.property?.name === 'output');
}

const outputType = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const own = ownOutputs(context.filename);
    const check = (node, literal) => {
      if (literal?.type !== 'Literal' || own.includes(literal.value)) return;
      context.report({
        node,
        message: 'No question about the output type outside its plugin: the plugin that owns the type taps its hook.',
      });
    };
    return {
      'BinaryExpression[operator=/^[!=]==?$/]'(node) {
        if (isOutputType(node.left)) check(node, node.right);
        if (isOutputType(node.right)) check(node, node.left);
      },
      SwitchStatement(node) {
        if (isOutputType(node.discriminant)) node.cases.forEach(({ test }) => check(node, test));
      },
    };
  },
};

/** @type {import('eslint').ESLint.Plugin} */
export const localPlugin = {
  rules: { 'file-name': fileName, 'reasoned-disable': reasonedDisable, 'output-type': outputType },
};
