/** Three questions that lead to a flow, its guide and its first call. */
import { withBase } from "vitepress";
import { computed, defineComponent, h, reactive } from "vue";

type Choice = { value: string; label: string; hint: string };
type Question = { name: "where" | "proof" | "extra"; legend: string; choices: readonly Choice[] };

const questions: readonly Question[] = [
  {
    name: "where",
    legend: "Where does the person agree?",
    choices: [
      { value: "frame", label: "On our screens, inside your page", hint: "one script tag" },
      { value: "page", label: "On our page, by a link or a redirect", hint: "no code in your page" },
      { value: "own", label: "On your own screens", hint: "you show the consent" },
    ],
  },
  {
    name: "proof",
    legend: "Who verifies the phone?",
    choices: [
      { value: "service", label: "Countersign", hint: "by text, or silently by the carrier" },
      { value: "brand", label: "You do it already", hint: "with your own codes" },
    ],
  },
  {
    name: "extra",
    legend: "What else do you need?",
    choices: [
      { value: "none", label: "Nothing else", hint: "identity only" },
      { value: "health", label: "The person's health insurance", hint: "found and checked with the payer" },
      { value: "login", label: "A sign-in button", hint: "by OpenID Connect" },
    ],
  },
];

type Flow = { name: string; guide: string; why: string; code: string };

const call = (path: string, body: string) =>
  `curl -s localhost:4000${path} -H 'Authorization: sk_sandbox_demo_api' \\\n  -H 'Content-Type: application/json' -d '${body}'`;

/** The flow for the answers. */
export function flowFor({ where, proof, extra }: Record<Question["name"], string>): Flow {
  if (extra === "login")
    return {
      name: "OpenID Connect",
      guide: "guides/openid",
      why: "Your OpenID library signs people in, and gets their data as claims.",
      code: 'import * as client from "openid-client";\nconst server = await client.discovery(new URL("http://localhost:4001"), brandUuid, apiKey);',
    };
  if (where === "frame")
    return {
      name: "The SDK",
      guide: "guides/signup-sdk",
      why: "The wallet appears in your page. It verifies the phone and shows the consent; your server reads the result.",
      code: "const answer = await server.createSession({});\n// In your page:\ncountersign.signup({ sessionKey: answer.sessionKey, onResult });",
    };
  if (where === "page")
    return {
      name: "Hosted",
      guide: "guides/signup-hosted",
      why: "You get a link and a code. The person reviews and shares on our page, and comes back to yours.",
      code: call("/v2/1-click", '{"phone":"+12125550010"}').replace("_api'", "_hosted'"),
    };
  if (proof === "brand")
    return {
      name: "API, with your own codes",
      guide: "guides/signup-api",
      why: "One call with the phone that you verified answers with the data.",
      code: call("/v2/1-click", '{"phone":"+12125550010"}'),
    };
  return {
    name: "API, with 1-Click Verify",
    guide: "guides/signup-api",
    why: "One call texts a code, one checks it, one answers with the data.",
    code: call("/v2/1-click/verifications", '{"channel":"sms","phone":"+12125550010"}'),
  };
}

export const FlowChooser = defineComponent({
  setup() {
    const answers = reactive({ where: "frame", proof: "service", extra: "none" });
    const flow = computed(() => flowFor(answers));
    return () =>
      h("form", { class: "flow-chooser vp-raw", onSubmit: (event: Event) => event.preventDefault() }, [
        ...questions.map(({ name, legend, choices }) =>
          h("fieldset", { key: name, disabled: name === "proof" && answers.where !== "own" }, [
            h("legend", legend),
            ...choices.map(({ value, label, hint }) =>
              h("label", { key: value }, [
                h("input", {
                  type: "radio",
                  name: `flow-${name}`,
                  checked: answers[name] === value,
                  onChange: () => (answers[name] = value),
                }),
                h("span", [h("strong", label), h("small", hint)]),
              ]),
            ),
          ]),
        ),
        h("div", { class: "flow", role: "status" }, [
          h("p", [h("strong", flow.value.name), ` ${flow.value.why}`]),
          h("pre", { tabindex: 0 }, flow.value.code),
          h("p", [
            h("a", { class: "go", href: withBase(`/${flow.value.guide}`) }, "Open the guide"),
            answers.extra === "health"
              ? h("a", { class: "go", href: withBase("/guides/health") }, "Then add insurance")
              : null,
          ]),
        ]),
      ]);
  },
});
