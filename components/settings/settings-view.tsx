'use client';

import { ChevronRight, CircleCheck, CircleDashed, Scale, ScrollText, SquareTerminal, Users } from 'lucide-react';
import Link from 'next/link';
import { RadioGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { Page } from '@/components/shell/page';
import { useTheme } from '@/components/shell/theme';
import { themeChoices } from '@/components/shell/theme-menu';

/** A setting with which the process was started. Values of secrets never come here, only whether there is one. */
export interface SettingRow {
  readonly label: string;
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly value: string;
  /** False if nothing is set and the value is a default or missing. `undefined` where that does not matter. */
  readonly isSet?: boolean;
  readonly hint: string;
}

/** A section whose content is `undefined` is for other people, and is left out. */
export interface SettingsViewProps {
  readonly groups: readonly { readonly title: string; readonly rows: readonly SettingRow[] }[];
  readonly envFile: string;
  /** Keys and other values that runs get. */
  readonly secrets: ReactNode | undefined;
  /** The MCP servers of the projects. */
  readonly servers: ReactNode | undefined;
  /** Limits on runs, and budgets. */
  readonly limits: ReactNode | undefined;
  /** Who is told of questions. */
  readonly notifications: ReactNode | undefined;
  /** For how long runs are kept. */
  readonly retention: ReactNode | undefined;
  /** True if the person may see the page of that name. */
  readonly people: boolean;
  readonly commands: boolean;
  readonly audit: boolean;
}

export function SettingsView(props: SettingsViewProps) {
  const { groups, envFile, secrets, servers, limits, notifications, retention, people, commands, audit } = props;
  return (
    <Page title="Settings">
      <div className="flex max-w-3xl flex-col gap-6">
        <Section title="Appearance" note="Remembered by this browser.">
          <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <span className="font-medium text-ink text-sm">Theme</span>
            <ThemeChoiceGroup />
          </div>
        </Section>
        <StartGroups groups={groups} />
        <Section
          id="secrets"
          title="Secrets"
          note="Written once, never shown. Later runs get a new value without a restart."
        >
          {secrets}
        </Section>
        <Section title="MCP servers" note="Of each project, tested as a run starts or calls them.">
          {servers}
        </Section>
        <Section
          id="limits"
          title="Limits"
          note="How many runs may be started, and what they may use. An empty field is no limit."
        >
          {limits}
        </Section>
        <Section title="Notifications" note="Who hears of what, by webhook and by mail.">
          {notifications}
        </Section>
        <Section title="Retention" note="Runs that ended are deleted by age and by size. An empty field keeps them.">
          {retention}
        </Section>
        <Section title="People" note="Who may use this installation. Each project has a page of its members.">
          {people && (
            <PageLink href="/settings/people" icon={<Users aria-hidden />}>
              Open people and invitations
            </PageLink>
          )}
        </Section>
        <Section title="Commands" note="What administrators approved to start, where people have accounts.">
          {commands && (
            <PageLink href="/settings/commands" icon={<SquareTerminal aria-hidden />}>
              Open the commands
            </PageLink>
          )}
        </Section>
        <Section title="Policy" note="Rules that projects must meet when they are published and run.">
          <PageLink href="/settings/policy" icon={<Scale aria-hidden />}>
            Open the rules
          </PageLink>
        </Section>
        <Section title="Audit log" note="Who answered, exported, deleted and changed what.">
          {audit && (
            <PageLink href="/settings/audit" icon={<ScrollText aria-hidden />}>
              Open the audit log
            </PageLink>
          )}
        </Section>
        <section aria-labelledby="how" className="text-muted text-sm">
          <h2 id="how" className="font-medium text-ink text-sm">
            How to change these
          </h2>
          <p className="mt-1">
            Settings with a name in capitals are environment variables, read once at start. Put them in{' '}
            <code className="break-all font-mono text-xs">{envFile}</code> (see{' '}
            <code className="font-mono text-xs">.env.example</code>) or set them for one start, then start Callboard
            again:
          </p>
          <pre className="mt-2 whitespace-pre-wrap break-words rounded-lg border bg-surface px-3 py-2 font-mono text-ink text-xs">
            OPENAI_BASE_URL=http://127.0.0.1:11434/v1 npm start
          </pre>
        </section>
      </div>
    </Page>
  );
}

/** The settings with which the process was started. */
function StartGroups({ groups }: Pick<SettingsViewProps, 'groups'>) {
  return groups.map((group) => (
    <Section key={group.title} title={group.title}>
      <dl className="divide-y">
        {group.rows.map((row) => (
          <div key={row.variable} className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[1fr_1fr]">
            <dt className="min-w-0">
              <span className="block font-medium text-ink text-sm">{row.label}</span>
              <span className="block text-muted text-xs">{row.hint}</span>
            </dt>
            <dd className="min-w-0 text-sm sm:text-right">
              <span className="inline-flex max-w-full items-center gap-1.5 break-all text-ink">
                {row.isSet === true && <CircleCheck aria-hidden className="size-3.5 shrink-0 text-ok" />}
                {row.isSet === false && <CircleDashed aria-hidden className="size-3.5 shrink-0 text-faint" />}
                {row.value}
              </span>
              <code className="block break-all font-mono text-2xs text-faint">{row.variable}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  ));
}

/** Nothing, for a section that is for other people. */
function Section({ id, title, note, children }: { id?: string; title: string; note?: string; children: ReactNode }) {
  if (children === undefined || children === false) return null;
  return (
    <section id={id} aria-label={title}>
      <h2 className="mb-2 flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-sm">
        {title}
        {note && <span className="font-normal text-faint text-xs">{note}</span>}
      </h2>
      <div className="rounded-lg border bg-surface shadow-card">{children}</div>
    </section>
  );
}

function PageLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="flex items-center gap-2 rounded-lg px-4 py-3 font-medium text-ink text-sm hover:bg-hover [&>svg]:size-4"
    >
      <span className="text-muted [&>svg]:size-4">{icon}</span>
      {children}
      <ChevronRight aria-hidden className="ml-auto text-faint" />
    </Link>
  );
}

function ThemeChoiceGroup() {
  const { choice, choose } = useTheme();
  return (
    <RadioGroup.Root
      aria-label="Theme"
      value={choice}
      onValueChange={(value) => {
        const chosen = themeChoices.find((each) => each.value === value);
        if (chosen) choose(chosen.value);
      }}
      className="flex rounded border bg-sunken p-0.5"
    >
      {themeChoices.map((each) => (
        <RadioGroup.Item
          key={each.value}
          value={each.value}
          className="flex h-7 cursor-pointer items-center gap-1.5 rounded-sm px-2.5 text-muted text-xs hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:font-medium data-[state=checked]:text-ink data-[state=checked]:shadow-card [&>svg]:size-3.5"
        >
          {each.icon}
          {each.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
