import type { Fragment, Fragments, Rule, Tier } from './fragment.js';
import type { JsonSchema } from './publish.js';

/** A plugin's part of the request schema. */
export interface SchemaPart {
  readonly owner: string;
  readonly tier?: Tier;
  readonly params: Fragments;
  readonly rules?: readonly Rule[];
  /** Its fragments and rules were checked when its package was built: they are compiled when they are first used. */
  readonly isChecked?: boolean;
}

export interface OutputType {
  readonly type: string;
  readonly owner: string;
  readonly tier?: Tier;
  /** Input spellings that become `type`; they are not published. */
  readonly aliases?: readonly string[];
  /** Other common names, such as file extensions: not accepted, but known to error texts. */
  readonly spellings?: readonly string[];
}

/** The contributions of a plugin that is not enabled: only for error texts. */
export interface MissingPart {
  readonly plugin: string;
  /** It cannot be enabled: the build does not contain it. */
  readonly leftOut?: boolean;
  /** It cannot be enabled, because loading it failed. */
  readonly broken?: boolean;
  readonly keys: readonly string[];
  readonly outputs: readonly string[];
}

/** The published JSON Schema of a request. */
export interface RequestDocument {
  readonly $schema: string;
  readonly title: string;
  readonly version: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** Checks the parameters without keys whose value is `null`; absent if there is no rule. */
  readonly allOf?: readonly Rule[];
  readonly additionalProperties: false;
}

export interface SchemaKey {
  readonly owner: string;
  readonly tier: Tier;
  readonly fragment: Fragment;
}

export interface RequestSchema {
  /** Deep-frozen. */
  readonly document: RequestDocument;
  readonly keys: ReadonlyMap<string, SchemaKey>;
  /** Output type by its other spellings. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Output type by its accepted names, in lower case; ambiguous names are omitted. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly absent: readonly MissingPart[];
}
