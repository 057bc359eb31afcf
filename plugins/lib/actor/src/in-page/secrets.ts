type Field = HTMLInputElement | HTMLTextAreaElement;

/** State in our isolated world: the fields of the document into which a secret was filled. */
interface SecretWorld {
  platenSecrets?: Set<Field>;
}

function secretsOf(): SecretWorld {
  // The world is our own: nothing else has this member.
  return globalThis as typeof globalThis & SecretWorld;
}

/** Remembers the field, which is emptied before its document is left: a form is sent with its values before that. */
export function noteSecret(field: Field): void {
  const world = secretsOf();
  if (world.platenSecrets === undefined) addEventListener('pagehide', clearSecrets);
  (world.platenSecrets ??= new Set()).add(field);
}

/** Empties the fields of the document into which a secret was filled. */
export function clearSecrets(): void {
  const { platenSecrets } = secretsOf();
  for (const field of platenSecrets ?? []) field.value = '';
  platenSecrets?.clear();
}

/** Whether the element is such a field, or contains one. */
export function holdsSecret(element: Element): boolean {
  return [...(secretsOf().platenSecrets ?? [])].some((field) => {
    for (let node: Node | null = field; node !== null; node = node instanceof ShadowRoot ? node.host : node.parentNode)
      if (node === element) return true;
    return false;
  });
}
