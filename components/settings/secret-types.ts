import type { KeyReport } from '@/lib/base/key-report';
import type { SecretNaming } from '@/lib/base/uses';

/** A secret without its value. */
export interface ShownSecret {
  readonly name: string;
  /** Where its value may go; empty: wherever its name is used. */
  readonly hosts: readonly string[];
  /** Of a secret of the installation: ids of the projects that may use it; empty: every one. */
  readonly projects: readonly string[];
  readonly by: string;
  readonly at: number;
  /** The projects whose runs got it, last use first. */
  readonly uses: readonly { readonly project: string; readonly name: string; readonly at: number }[];
  /** What names it in drafts and labelled revisions now. */
  readonly namedBy: readonly SecretNaming[];
}

export interface ShownSecrets {
  readonly secrets: readonly ShownSecret[];
  /** Sets of files that could not be looked into yet. */
  readonly unread: number;
  /** True if a secret must name hosts or projects here, unless it is the key of a model provider. */
  readonly needsBounds: boolean;
}

export interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly hosts: readonly string[];
  readonly projects: readonly string[];
}

/** Each rejects with an Error whose message users may see. Without a project it is about the installation. */
export interface SecretServices {
  list(project: string | undefined): Promise<ShownSecrets>;
  save(project: string | undefined, secret: NewSecret): Promise<ShownSecrets>;
  remove(project: string | undefined, name: string): Promise<ShownSecrets>;
  /** Tries the key of a model provider; without `value` the stored one. */
  testKey(project: string | undefined, name: string, value?: string): Promise<KeyReport>;
}
