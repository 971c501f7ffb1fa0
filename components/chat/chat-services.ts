import type { ApprovalServices } from '@/components/commands/ask-approval';
import type { MessageFile } from '@/lib/base/conversation';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import type { NamedModels } from '@/lib/cards/models/named-models';

export interface OutgoingMessage {
  readonly message: string;
  /** `undefined` begins a conversation. */
  readonly conversation: string | undefined;
  /** Only for the first message; `undefined` stands for the entry agent. */
  readonly agent: string | undefined;
  /** `undefined` if the cards and the configuration name the model. */
  readonly model: string | undefined;
  readonly attachments: readonly MessageFile[];
}

export type Sent =
  | { readonly ok: true; readonly runId: string; readonly conversation: string }
  | {
      readonly ok: false;
      readonly message: string;
      /** True if a person has to confirm, in the editor, what the project starts. */
      readonly notTrusted: boolean;
      /** True if an administrator has to approve it. */
      readonly isUnapproved: boolean;
      /** The hash of the files that need the approval. */
      readonly files?: string | undefined;
    };

/** The changes that the chat of a project makes. Nothing is thrown. */
export interface ChatServices {
  readonly send: (message: OutgoingMessage) => Promise<Sent>;
  /** Stops a turn, or withdraws one that has not begun. Resolves to a sentence that says why not, or to `undefined`. */
  readonly stop: (run: string) => Promise<string | undefined>;
  /** Asks administrators for what the files of the project start. */
  readonly approval: ApprovalServices;
  /** Deletes a conversation. Resolves to a sentence that says why not, or to `undefined`. */
  readonly remove: (conversation: string) => Promise<string | undefined>;
}

/** What a conversation may begin with. */
export interface ChatChoices {
  /** The agent with which runs of the project begin. */
  readonly entry: string | undefined;
  /** The agents that a person may talk with. */
  readonly agents: readonly string[];
  readonly models: NamedModels;
  readonly defaultModel: string | undefined;
  /** What is known here about who serves models, or `undefined` if the project has settings of its own. */
  readonly here: ModelEnv | undefined;
}
