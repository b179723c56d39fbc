import type { Me } from "@countersign/contract/dashboard";
import { api } from "../api.ts";
import { Check, TroubleNotice } from "../controls/controls.tsx";
import { Section } from "../controls/section.tsx";
import { useAction } from "../frame/page.tsx";

const say = {
  title: "Sign-in",
  label: "Require a passkey from every member",
  hint: "Members without a passkey must add one before they can use the dashboard. If a member loses theirs, the operator can create a sign-in link.",
};

/** Lets an owner require a passkey of every member. */
export function PasskeyPolicy({ me, isOwner, onDone }: { me: Me; isOwner: boolean; onDone(): void }) {
  const action = useAction();
  return (
    <Section id="policy" title={say.title}>
      <TroubleNotice trouble={action.trouble} />
      <Check
        id="requires-passkey"
        label={say.label}
        hint={say.hint}
        disabled={!isOwner}
        checked={me.customer.requiresPasskey}
        onChange={(requiresPasskey) =>
          void action.run(() => api.setPasskeyPolicy({ body: { requiresPasskey } }), onDone)
        }
      />
    </Section>
  );
}
