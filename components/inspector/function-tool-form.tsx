'use client';

import { useCommands } from '@/components/editor-state/use-commands';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { AgentCard } from '@/lib/cards/card';
import { DraftInput } from './draft-input';
import { useDocument } from './field-place';
import { type FunctionToolKey, findFunctionTool, functionToolEdit, functionToolFields } from './function-tool-options';
import { Group } from './group';

/** Shows how an agent offers a function to its model. `nth` counts the entries of the same function, from 1. */
export function FunctionToolForm(props: {
  readonly card: AgentCard;
  readonly entrypoint: string;
  readonly nth: number;
}) {
  const { card, entrypoint, nth } = props;
  const commands = useCommands();
  const entry = findFunctionTool(useDocument(card.file), entrypoint, nth);
  if (entry === undefined) return null;
  const textOf = (key: FunctionToolKey) => {
    const value = entry.options[key];
    return value === undefined || value === null ? '' : String(value);
  };
  const isCode = textOf('variant') !== '';
  const write = (key: FunctionToolKey, text: string) => {
    const value = text.trim() === '' ? undefined : text.trim();
    if (value === undefined && textOf(key) === '') return;
    commands.editFields(card.file, [functionToolEdit(entry, key, value)], { label: `${key} of ${entrypoint}` });
  };
  return (
    <Group title="As a tool">
      {functionToolFields.map((field) => {
        const [key] = field.path;
        if (key !== 'variant' && !isCode && textOf(key) === '') return null;
        return (
          <Field key={key} label={field.label} hint={'hint' in field ? field.hint : undefined}>
            {(ids) =>
              field.kind === 'choice' ? (
                <Select
                  {...ids}
                  value={textOf(key) === '' ? notSet : textOf(key)}
                  options={[
                    { value: notSet, label: field.unset },
                    ...[...new Set([...field.options, textOf(key)])].flatMap((one) =>
                      one === '' ? [] : [{ value: one, label: one }],
                    ),
                  ]}
                  onValueChange={(value) => write(key, value === notSet ? '' : value)}
                />
              ) : (
                <DraftInput
                  {...ids}
                  late
                  className="font-mono"
                  value={textOf(key)}
                  placeholder={field.placeholder}
                  onCommit={(text) => write(key, text)}
                />
              )
            }
          </Field>
        );
      })}
    </Group>
  );
}

/** No word of a card is a blank. */
const notSet = ' ';
