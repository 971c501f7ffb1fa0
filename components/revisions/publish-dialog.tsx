'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { AskApproval } from '@/components/commands/ask-approval';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { later } from '@/components/ui/later';
import { type CheckedRelease, type CheckResult, overriderWords } from '@/lib/base/gate';
import { Checks } from './checks';
import type { Published, PublishServices } from './revision-types';
import { UpdateButton } from './update-button';

const AskReview = later(async () => (await import('./ask-review')).AskReview, null);

export interface PublishDialogProps {
  readonly what: Published;
  /** `live` publishes. Without a label the dialog asks for one. */
  readonly label: string | undefined;
  /** What the label named when the page was made; null for nothing. Without it, what it names when the dialog opens counts. */
  readonly expected?: number | null | undefined;
  readonly services: PublishServices;
  readonly onClose: () => void;
  readonly onDone: (revision: number, label: string) => void;
}

/** Shows what the checks found, takes a note, and moves a label. It is mounted when it opens. */
export function PublishDialog(props: PublishDialogProps) {
  const { what, label, onClose } = props;
  const form = usePublish(props);
  const { checks, failed, fault, mayOverride, isReady } = form;
  const verb = label === 'live' ? 'Publish' : 'Promote';
  const submit = () => {
    if (isReady) void form.publish();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} ${wordsOf(what)}`}
      description={
        label === 'live'
          ? 'Scripts, chats and other programs run what is live. The draft stays as it is.'
          : 'A label names a revision. Runs can ask for it by that name.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={form.busy || (checks === undefined && fault === undefined)}
            aria-disabled={!isReady}
            onClick={submit}
          >
            {failed.length > 0 && mayOverride ? `${verb} nevertheless` : verb}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {label === undefined && <Line label="Label" value={form.named} onChange={form.setNamed} />}
        <Field label="Note" hint="What has changed, for those who read the list later.">
          {(ids) => (
            <Textarea {...ids} rows={2} value={form.note} onChange={(event) => form.setNote(event.target.value)} />
          )}
        </Field>
        <Checks checks={checks} />
        {form.review !== undefined && <AskReview {...form.review} note={form.note} services={props.services} />}
        <NextSteps form={form} services={props.services} />
        {failed.length > 0 && mayOverride && (
          <Line
            label="Reason to go on nevertheless"
            hint="The history and the audit log keep it."
            value={form.override}
            onChange={form.setOverride}
          />
        )}
        {failed.length > 0 && !mayOverride && (
          <p className="text-muted text-xs">Correct this, or ask {overriderWords(failed)} to go on with a reason.</p>
        )}
        {fault !== undefined && (
          <p role="alert" className="text-bad text-sm">
            {fault}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** What a person may do about checks that failed. */
function NextSteps(props: { readonly form: ReturnType<typeof usePublish>; readonly services: PublishServices }) {
  const { form, services } = props;
  return (
    <>
      {form.files !== undefined && (
        <AskApproval
          services={services.approval}
          files={form.files}
          then="publish"
          onApproved={() => void form.again()}
        />
      )}
      {form.behind !== undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <UpdateButton
            draft={form.behind}
            services={services}
            onUpdated={({ version }, words) => form.updated(version, words)}
          />
        </div>
      )}
      {form.said !== undefined && (
        <p role="status" className="text-ink text-sm">
          {form.said}
        </p>
      )}
      {form.testsWord !== undefined && (
        <Button size="sm" className="self-start" busy={form.testsWord === 'running'} onClick={() => void form.test()}>
          {form.testsWord === 'running' ? 'Tests are running' : 'Run the tests'}
        </Button>
      )}
    </>
  );
}

function wordsOf(what: Published): string {
  if ('revision' in what) return `revision ${what.revision}`;
  return what.draft === 'main' ? 'this project' : `draft ${what.draft}`;
}

/** Reads what the checks find, and keeps what the person writes. */
function usePublish({ what, label, expected, services, onDone }: PublishDialogProps) {
  const [checked, setChecked] = useState<CheckedRelease>();
  const [fault, setFault] = useState<string>();
  const [named, setNamed] = useState('staging');
  const [note, setNote] = useState('');
  const [override, setOverride] = useState('');
  const [busy, setBusy] = useState(false);
  const [update, setUpdate] = useState<{ readonly version: number; readonly words: string }>();
  const checks = checked?.checks;
  useChecks({ what, label: label ?? 'staging', services, checks, onChecked: setChecked, onFault: setFault });
  const failed = checks?.filter(({ ok }) => !ok) ?? [];
  const mayOverride = failed.every(({ overridable }) => overridable);
  const isStopped = failed.length > 0 && (!mayOverride || override.trim() === '');
  const publish = async () => {
    setBusy(true);
    const to = label ?? named.trim();
    const reason = failed.length > 0 ? override : undefined;
    const shown = withVersion(what, update?.version);
    // A label that the person names here may be another one than that which was checked.
    const seen = expected !== undefined || label === undefined ? expected : checked?.now;
    const done = await services.publish({ what: shown, label: to, note, expected: seen, override: reason });
    setBusy(false);
    if (done.ok) return onDone(done.value.number, to);
    // What was refused may be another thing by now: the next try is for what the person sees then.
    void again();
    setFault(done.message);
  };
  const testsWord = checks?.find(({ tests }) => tests !== undefined)?.tests;
  const test = async () => {
    setFault(undefined);
    const started = await services.test(what);
    if (!started.ok) setFault(started.message);
    else setChecked(checked && { ...checked, checks: checked.checks.map(withTestsRunning) });
  };
  const files = checks?.find((check) => check.files !== undefined)?.files;
  const again = async () => {
    const found = await services.check(what, label ?? 'staging');
    if (found.ok) setChecked(found.value);
    else setFault(found.message);
  };
  const updated = (version: number, words: string) => {
    setUpdate({ version, words });
    setFault(undefined);
    void again();
  };
  // A revision stays what it is. Only a draft can get what is live.
  const isBehind = 'draft' in what && failed.some(({ id }) => id === 'live');
  const isReady = checks !== undefined && !isStopped && !busy;
  return {
    checks,
    failed,
    fault,
    mayOverride,
    isReady,
    busy,
    named,
    setNamed,
    note,
    setNote,
    override,
    setOverride,
    publish,
    testsWord,
    test,
    files,
    again,
    behind: isBehind ? what.draft : undefined,
    review: 'draft' in what && checked?.review ? { draft: what.draft, way: checked.review } : undefined,
    updated,
    said: update?.words,
  };
}

function withTestsRunning(check: CheckResult): CheckResult {
  return check.tests === undefined ? check : { ...check, tests: 'running' };
}

/** A draft that was updated from live in the dialog is published with what it got. */
function withVersion(what: Published, updated: number | undefined): Published {
  if ('revision' in what || what.version === undefined || updated === undefined) return what;
  return { ...what, version: Math.max(what.version, updated) };
}

/** Reads what the checks find, and reads it again while tests are running. */
function useChecks(props: {
  readonly what: Published;
  readonly label: string;
  readonly services: PublishServices;
  readonly checks: readonly CheckResult[] | undefined;
  readonly onChecked: (checked: CheckedRelease) => void;
  readonly onFault: (message: string) => void;
}) {
  const { services, label, checks } = props;
  // The object is another one with each rendering.
  const key = JSON.stringify(props.what);
  const onAnswer = useEffectEvent((answer: Awaited<ReturnType<PublishServices['check']>>) => {
    if (answer.ok) props.onChecked(answer.value);
    else props.onFault(answer.message);
  });
  const isRunning = checks?.some(({ tests }) => tests === 'running') ?? false;
  useEffect(() => {
    let isGone = false;
    const read = () =>
      void services.check(JSON.parse(key), label).then((answer) => {
        if (!isGone) onAnswer(answer);
      });
    if (!isRunning) read();
    const timer = isRunning ? setInterval(read, testsPauseMs) : undefined;
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [services, key, label, isRunning]);
}

const testsPauseMs = 1_500;

function Line(props: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={props.label} hint={props.hint}>
      {(ids) => <Input {...ids} value={props.value} onChange={(event) => props.onChange(event.target.value)} />}
    </Field>
  );
}
