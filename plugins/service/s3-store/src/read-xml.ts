import sax from 'sax';

/** An element without child elements. */
export interface XmlLeaf {
  readonly name: string;
  readonly text: string;
}

/** The leaf elements of a response, in document order; empty if it is not XML. External entities are not read. */
export function readXml(text: string): readonly XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const parser = sax.parser(true);
  let open: { readonly name: string; text: string } | undefined;
  parser.onopentag = ({ name }) => {
    open = { name, text: '' };
  };
  parser.ontext = (more) => {
    if (open !== undefined) open.text += more;
  };
  parser.onclosetag = () => {
    if (open !== undefined) leaves.push(open);
    open = undefined;
  };
  parser.onerror = (error) => {
    throw error;
  };
  try {
    parser.write(text).close();
  } catch {
    return [];
  }
  return leaves;
}
