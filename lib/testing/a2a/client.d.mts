export interface AgentCall {
  readonly url: string;
  readonly token?: string;
  readonly version: string;
  readonly words: readonly string[];
  readonly onBegun?: () => void;
}

export function callAgent(call: AgentCall): Promise<unknown>;
