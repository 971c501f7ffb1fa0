/** A setting of this process, to show. */
export interface SettingRow {
  readonly label: string;
  readonly variable: string;
  readonly value: string;
  /** Undefined where a default is as good as any. */
  readonly isSet?: boolean;
  readonly hint: string;
}
