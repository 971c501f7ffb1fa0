import type { ApprovalServices, StartFault } from '@/components/commands/ask-approval';
import type { AgainFiles, ToolChoice } from '@/lib/base/again';
import type { JsonObject } from '@/lib/base/json';

/** What a person asks for in a dialog. The run that is taken from is the shown one. */
export type AskedAgain =
  | { readonly kind: 'from'; readonly files: AgainFiles; readonly at: number }
  | {
      readonly kind: 'instance';
      readonly files: AgainFiles;
      readonly path: string;
      readonly arguments?: JsonObject | undefined;
      readonly tools: Readonly<Record<string, ToolChoice>>;
    };

/** What the page of a run asks of the server. Each resolves to `undefined`, or says why it failed. */
export interface AgainServices {
  /** Starts a run and shows it. */
  start(asked: AskedAgain): Promise<StartFault | undefined>;
  /** Asks administrators for what the files of the project start. */
  readonly approval: ApprovalServices;
  /** Pins the result of the call that the event `seq` starts. */
  pin(seq: number, match: 'equal' | 'all'): Promise<string | undefined>;
  unpin(pin: string): Promise<string | undefined>;
}
