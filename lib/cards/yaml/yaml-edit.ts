import type { Json } from '@/lib/base/json';
import type { Path } from './yaml-source';

/** A change of one place of a document. */
export type YamlEdit =
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly value: Json }
  | { readonly op: 'move'; readonly path: Path; readonly from: number; readonly to: number }
  /** Gives the key that ends the path another name; its value and place stay. */
  | { readonly op: 'rename'; readonly path: Path; readonly key: string };
