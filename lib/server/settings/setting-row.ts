/** A setting of this process, as the settings page shows it. */
export interface SettingRow {
  readonly label: string;
  readonly variable: string;
  readonly value: string;
  /** `undefined` for settings whose default is as good as another value. */
  readonly isSet?: boolean;
  readonly hint: string;
}
