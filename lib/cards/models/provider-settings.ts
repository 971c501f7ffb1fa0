/** A provider's section of fast-agent.yaml. `${VAR}` is not filled in. */
export interface ProviderSettings {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The model for a model string that names only the provider. */
  readonly defaultModel: string | undefined;
  /** The default reasoning effort, when neither the card nor the model string sets one. */
  readonly reasoning: string | undefined;
  readonly azure: AzureSettings | undefined;
}

export interface AzureSettings {
  readonly resourceName: string | undefined;
  readonly deployment: string | undefined;
  readonly apiVersion: string | undefined;
  /** The section uses an account of the machine instead of a key. */
  readonly usesAccount: boolean;
}

/** Settings by section name. */
export type ProviderSections = Readonly<Record<string, ProviderSettings>>;
