/** Answers that send themselves, and those that wait for the button. */
import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox, type Person } from "../harness/browser.ts";

const it = await browserSandbox();

/** Counts the answers that the page sends. */
function countAnswers({ page }: Pick<Person, "page">): () => number {
  let answers = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/api/page/inputs") answers += 1;
  });
  return () => answers;
}

test("in Spanish, a date that may begin with the day waits for the button, and any other date sends itself", async () => {
  for (const [typed, waits] of [
    ["01081989", "¿8 de enero de 1989? Primero va el mes."],
    ["08011989", "¿1 de agosto de 1989? Primero va el mes."],
    ["13081989", null],
  ] as const) {
    const begun = await begin(it, "+12125550022");
    const person = await it.person({ locale: "es-US" });
    const answers = countAnswers(person);
    await person.page.goto(begun.url);
    await person.box("Código de verificación").fill(begun.code);
    await person.at("birthday");
    await person.box("Fecha de nacimiento").pressSequentially(typed);
    if (waits === null) await person.page.getByText("No coincide.").first().waitFor();
    else {
      await person.page.getByText(waits).waitFor();
      await person.box("Fecha de nacimiento").fill("08/01/1989");
      await person.page.getByText("¿1 de agosto de 1989?").waitFor();
      await person.button("Continuar").click();
      await person.at("review");
    }
    assert.equal(answers(), 1, typed);
    await person.done();
  }
});

test("a correction inside a complete answer waits for the button", async () => {
  const begun = await begin(it, "+12125550021");
  const person = await it.person();
  const answers = countAnswers(person);
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  await person.at("ssn4");
  const box = person.box("Last 4 digits of SSN");
  await box.pressSequentially("789");
  for (const key of ["Home", "5", "Backspace", "6"]) await box.press(key);
  assert.equal(await box.inputValue(), "6789");
  await person.button("Continue").click();
  await person.at("review");
  assert.equal(answers(), 1);
  await person.done();
});

test("Backspace and Delete beside a separator delete the digit beyond it, and the caret stays there", async () => {
  const begun = await begin(it, "+12125550022");
  const person = await it.person();
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  await person.at("birthday");
  const box = person.box("Birthday");
  const press = async (...keys: string[]) => {
    for (const key of keys) await box.press(key);
    return box.evaluate((input: HTMLInputElement) => [input.value, input.selectionStart]);
  };
  await box.pressSequentially("0801198");
  assert.deepEqual(await press("ArrowLeft", "ArrowLeft", "ArrowLeft", "Backspace"), ["08/01/98", 4]);
  assert.deepEqual(await press("Home", "ArrowRight", "ArrowRight", "Delete"), ["08/19/8", 2]);
  await box.fill("08/01/98");
  const toDay = ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"];
  assert.deepEqual(await press(...toDay, "Backspace"), ["08/19/8", 2], "a zero that the mask would add again");
  await box.fill("");
  await box.pressSequentially("0801");
  assert.deepEqual(await press("Backspace"), ["08/01", 5]);
  await person.done();
});

test("a whole SSN that is pasted as its last four digits sends those", async () => {
  const begun = await begin(it, "+12125550021");
  const person = await it.person();
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  await person.at("ssn4");
  await person.box("Last 4 digits of SSN").fill("000-45-6789");
  await person.at("review");
  await person.done();
});
