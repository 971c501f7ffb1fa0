import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** Fields of numbers by their names, as they are typed. */
export type AmountTexts<Name extends string> = Readonly<Record<Name, string>>;

interface AmountFieldsProps<Name extends string> {
  readonly labels: Readonly<Record<Name, string>>;
  readonly texts: AmountTexts<NoInfer<Name>>;
  /** Fields that need no whole number. */
  readonly fractions?: readonly NoInfer<Name>[];
  readonly disabled: boolean;
  readonly onChange: (texts: AmountTexts<NoInfer<Name>>) => void;
}

/** Edits numbers. An empty field stands for no limit. */
export function AmountFields<Name extends string>(props: AmountFieldsProps<Name>) {
  const { labels, texts, fractions = [], disabled, onChange } = props;
  return Object.entries<string>(labels).map(([name, label]) => {
    const key = Object.keys(labels).find((each): each is Name => each === name);
    if (key === undefined) return null;
    const isRead = readAmount(texts[key], fractions.includes(key)) !== undefined;
    return (
      <div key={name} className="w-40">
        <Field
          label={label}
          error={isRead ? undefined : fractions.includes(key) ? 'A number from 0' : 'A whole number from 0'}
        >
          {(field) => (
            <Input
              {...field}
              inputMode="decimal"
              placeholder="no limit"
              disabled={disabled}
              value={texts[key]}
              onChange={(event) => onChange({ ...texts, [key]: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
    );
  });
}

/** Writes a number as a text, in units of `unit` with at most four decimals. */
export function textOfAmount(amount: number | null, unit = 1): string {
  return amount === null ? '' : String(unit === 1 ? amount : Number((amount / unit).toFixed(4)));
}

/** Reads a number. Returns `null` for an empty text, and `undefined` for one that is no such number. */
export function readAmount(text: string, isFraction: boolean): number | null | undefined {
  const written = text.trim();
  if (written === '') return null;
  return (isFraction ? /^\d{1,12}(\.\d{1,4})?$/ : /^\d{1,15}$/).test(written) ? Number(written) : undefined;
}
