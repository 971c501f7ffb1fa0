import type { Json } from '@/lib/base/json';
import type { Path } from './yaml-source';

/** An edit at one path of a document. */
export type YamlEdit =
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly index: number; readonly value: Json }
  | { readonly op: 'move'; readonly path: Path; readonly from: number; readonly to: number }
  /** Renames the last key of the path. Its value and position stay. */
  | { readonly op: 'rename'; readonly path: Path; readonly key: string };
