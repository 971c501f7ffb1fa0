import {
  AlarmClock,
  ChartNoAxesGantt,
  ClipboardList,
  FlaskConical,
  GitBranch,
  GitCompareArrows,
  History,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  PencilRuler,
  Plug,
  Rocket,
  Scale,
  ShieldCheck,
  Upload,
  Users,
} from 'lucide-react';

const icons: Readonly<Record<string, LucideIcon>> = {
  editor: PencilRuler,
  chat: MessageSquare,
  runs: ChartNoAxesGantt,
  tests: FlaskConical,
  revisions: History,
  reviews: Scale,
  triggers: AlarmClock,
  members: Users,
  drafts: GitBranch,
  clone: Plug,
  mirror: GitCompareArrows,
  'import-report': ClipboardList,
  secrets: KeyRound,
  rules: ShieldCheck,
  Export: Upload,
  Publish: Rocket,
};

export function BarIcon({ of }: { readonly of: string }) {
  const Icon = icons[of];
  return Icon === undefined ? null : <Icon aria-hidden className="size-4" />;
}
