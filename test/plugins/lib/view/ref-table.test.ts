import { createRefTable } from '@platen/lib-view';
import { describe, expect, it } from 'vitest';

const element = (backendDOMNodeId: number, name = 'Buy') => ({ targetId: 't', frameId: 'f', backendDOMNodeId, role: 'button', name });

describe('a table of refs', () => {
  it('remembers the role and name with which an element was last seen', () => {
    const refs = createRefTable();
    expect([refs.refOf(element(1), element(1)), refs.refOf(element(1), element(1, 'Bought'))]).toEqual(['e1', 'e1']);
    expect(refs.find('e1')).toEqual(element(1, 'Bought'));
    expect(refs.find('e2')).toBeUndefined();
  });

  it('gives the ref of an element to the one that replaces it, and never again to another', () => {
    const refs = createRefTable();
    refs.refOf(element(1), element(1));
    refs.replace('e1', element(2));
    expect(refs.find('e1')).toEqual(element(2));
    const again = [2, 1, 3].map((id) => refs.refOf(element(id), element(id)));
    expect(again).toEqual(['e1', 'e2', 'e3']);
  });

  it('keeps the ref of a replacing element that already has one', () => {
    const refs = createRefTable();
    for (const id of [1, 2]) refs.refOf(element(id), element(id));
    refs.replace('e1', element(2));
    expect([refs.find('e1'), refs.find('e2'), refs.refOf(element(2), element(2))]).toEqual([element(2), element(2), 'e2']);
  });
});
