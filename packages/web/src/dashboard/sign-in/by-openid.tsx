import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { TroubleNotice } from "../controls/controls.tsx";
import { useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Card } from "./card.tsx";
import { takeBegun } from "./openid.ts";

const say = words.signIn.openIdRefused;
type Props = { query: string; onSignedIn(): Promise<void>; onOther(): void };
type Why = Exclude<keyof typeof say, "title" | "other">;

/** Completes a sign-in with the OpenID provider, or shows why it was refused. */
export function ByOpenId({ query, onSignedIn, onOther }: Props) {
  const [why, setWhy] = useState<Why | null>(null);
  const action = useAction();
  useEffect(() => {
    const uuid = takeBegun();
    if (uuid === null) return setWhy("over");
    void action.run(
      () => api.signInByOpenId({ params: { uuid }, body: { query } }),
      ({ outcome }) => {
        if (outcome === "signedIn") return void onSignedIn();
        setWhy(outcome === "wrong" || outcome === "taken" ? "failed" : outcome);
      },
    );
  }, []);
  if (why === null && action.trouble === null)
    return <Card name="openid" title={words.signIn.openIdTitle} children={null} />;
  return (
    <Card name="openidRefused" title={say.title} lead={why === null ? undefined : say[why]}>
      <TroubleNotice trouble={action.trouble} />
      <Button label={say.other} look="main" onClick={onOther} />
    </Card>
  );
}
