/** A provider's section of fast-agent.yaml. `${VAR}` is kept as written. */
export interface ProviderSettings {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** For a model string that names the provider alone. */
  readonly defaultModel: string | undefined;
  /** Effort of reasoning where neither card nor model string says one. */
  readonly reasoning: string | undefined;
  readonly azure: AzureSettings | undefined;
}

export interface AzureSettings {
  readonly resourceName: string | undefined;
  readonly deployment: string | undefined;
  readonly apiVersion: string | undefined;
  /** Keys are not used; an account of the machine is. */
  readonly usesAccount: boolean;
}

/** Section name → its settings. */
export type ProviderSections = Readonly<Record<string, ProviderSettings>>;
