'use client';

import { Inbox, Play, Settings } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input, Textarea } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { Tabs } from '@/components/ui/tabs';
import { Pickers } from './pickers';
import { Row } from './section';

const variants = ['primary', 'secondary', 'ghost', 'danger'] as const;
const icon = <Play aria-hidden className="size-3.5" />;

export function Controls() {
  return (
    <>
      {variants.map((variant) => (
        <Row key={variant} name={`Button, ${variant}`}>
          <Button variant={variant}>Medium</Button>
          <Button variant={variant} icon={icon}>
            With icon
          </Button>
          <Button variant={variant} size="sm">
            Small
          </Button>
          <Button variant={variant} busy>
            Busy
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
        </Row>
      ))}
      <Row name="Icon button">
        <IconButton label="Settings" keys="Mod+K" icon={<Settings aria-hidden />} />
        <IconButton label="Small" size="sm" icon={<Settings aria-hidden />} />
        <IconButton label="Pressed" pressed icon={<Settings aria-hidden />} />
        <IconButton label="Disabled" disabled icon={<Settings aria-hidden />} />
        <CopyButton text="Copied from the preview" />
      </Row>
      <Fields />
      <Pickers />
      <Row name="Tabs">
        <TabsPreview />
      </Row>
      <Row name="Empty">
        <div className="w-full rounded-lg border bg-surface">
          <EmptyState icon={<Inbox aria-hidden />} title="No run yet" action={<Button variant="primary">Run</Button>}>
            Runs of this project appear here.
          </EmptyState>
        </div>
      </Row>
    </>
  );
}

function Fields() {
  const [choice, setChoice] = useState('writer');
  const options = [
    { value: 'writer', label: 'writer' },
    { value: 'critic', label: 'critic', hint: 'default' },
    { value: 'remote', label: 'remote', disabled: true },
  ];
  const chosen = { value: choice, onValueChange: setChoice, options };
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      <Field label="Input" hint="A hint in one line.">
        {(ids) => <Input {...ids} defaultValue="Text" />}
      </Field>
      <Field label="Input, empty">{(ids) => <Input {...ids} placeholder="Placeholder" />}</Field>
      <Field label="Input, wrong" error="Give the address of the server.">
        {(ids) => <Input {...ids} defaultValue="htp:/" />}
      </Field>
      <Field label="Input, disabled">{(ids) => <Input {...ids} disabled defaultValue="Text" />}</Field>
      <Field label="Select">{(ids) => <Select {...ids} {...chosen} />}</Field>
      <Field label="Select, disabled">{(ids) => <Select {...ids} {...chosen} disabled />}</Field>
      <Field label="Text area">
        {(ids) => <Textarea {...ids} rows={3} defaultValue={'You are a writer.\nBe brief.'} />}
      </Field>
    </div>
  );
}

function TabsPreview() {
  const [tab, setTab] = useState('one');
  const content = (words: string): ReactNode => <p className="p-3 text-muted text-sm">{words}</p>;
  return (
    <div className="flex h-32 w-full rounded-lg border bg-surface">
      <Tabs
        label="Example"
        value={tab}
        onValueChange={setTab}
        actions={<IconButton size="sm" label="Settings" icon={<Settings aria-hidden />} />}
        tabs={[
          { id: 'one', label: 'Properties', content: content('The first panel.') },
          { id: 'two', label: 'Card', icon, content: content('The second panel.') },
          {
            id: 'three',
            label: 'Problems',
            badge: <span className="rounded-sm bg-bad-soft px-1 text-2xs font-medium text-bad">2</span>,
            content: content('The third panel.'),
          },
        ]}
      />
    </div>
  );
}
