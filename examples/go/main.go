package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

func setting(name, preset string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return preset
}

var (
	api    = strings.TrimSuffix(setting("COUNTERSIGN_API", "http://localhost:4000"), "/")
	key    = setting("COUNTERSIGN_KEY", "sk_sandbox_demo_api")
	secret = os.Getenv("COUNTERSIGN_WEBHOOK_SECRET")
	client = &http.Client{Timeout: 30 * time.Second}
)

// Refused is an error answer. Branch on ErrorCode, never on the message.
type Refused struct {
	Message string
	Data    struct {
		ErrorCode         string
		AttemptsRemaining int
	}
}

func (refused *Refused) Error() string { return refused.Message }

func post(path string, body, answer any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest("POST", api+"/v2"+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", key)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		refused := &Refused{}
		if err := json.NewDecoder(response.Body).Decode(refused); err != nil {
			return err
		}
		if refused.Data.ErrorCode == "" {
			// The error is not about the person: the key or the URL may be wrong.
			log.Println("Countersign:", response.StatusCode, refused.Message)
		}
		return refused
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

type fields map[string]string

// textCode texts a code to the phone, and returns the id of the verification.
func textCode(phone string) (string, error) {
	var verification struct{ UUID string }
	if err := post("/1-click/verifications", fields{"channel": "sms", "phone": phone}, &verification); err != nil {
		return "", err
	}
	err := post("/1-click/verifications/"+verification.UUID+"/deliver", fields{}, &verification)
	return verification.UUID, err
}

// signUp checks the code, and returns the person's first name.
func signUp(verification, code string) (string, error) {
	var ignored any
	path := "/1-click/verifications/" + url.PathEscape(verification) + "/verify"
	if err := post(path, fields{"code": code}, &ignored); err != nil {
		return "", err
	}
	var answer struct {
		Identity struct {
			Credentials struct{ FullName struct{ FirstName string } }
		}
	}
	err := post("/1-click", fields{"verificationUuid": verification}, &answer)
	return answer.Identity.Credentials.FullName.FirstName, err
}

// isGenuine checks the signature and that the timestamp is at most five minutes old.
func isGenuine(timestamp, signature string, rawBody []byte) bool {
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(sent, 0)); err != nil || age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(signature, ",") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

func page(w http.ResponseWriter, content string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Open an account</title><main>%s</main></html>`, content)
}

const phoneForm = `<h1>Open an account</h1><form method="post" action="/start">
<label>Phone number <input name="phone" type="tel" autocomplete="tel" value="+12125550010"></label>
<p>By continuing you agree to receive a text message to create an account for 1-Click Signup at Example Brand
and other supported sites, and you agree to the <a href="http://localhost:4001/terms">terms of use</a>.</p>
<button>Continue</button></form>`

const codeForm = `<h1>Enter your code</h1><p role="alert">%s</p><form method="post" action="/finish">
<label>Verification code <input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required></label>
<button>Continue</button></form>`

// ownForm is your own form, for people Countersign cannot sign up.
const ownForm = `<h1>Tell us about you</h1><p>Show your own signup form here.</p>`

func start(w http.ResponseWriter, r *http.Request) {
	verification, err := textCode(r.FormValue("phone"))
	if err != nil {
		refuse(w, err)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "verification", Value: verification, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	page(w, fmt.Sprintf(codeForm, ""))
}

func finish(w http.ResponseWriter, r *http.Request) {
	verification := "none"
	if cookie, err := r.Cookie("verification"); err == nil {
		verification = cookie.Value
	}
	firstName, err := signUp(verification, r.FormValue("code"))
	if err != nil {
		refuse(w, err)
		return
	}
	page(w, "<h1>Welcome, "+html.EscapeString(firstName)+"!</h1><p>Your account is ready.</p>")
}

func refuse(w http.ResponseWriter, err error) {
	var refused *Refused
	if !errors.As(err, &refused) {
		http.Error(w, "Something went wrong.", http.StatusBadGateway)
		return
	}
	if refused.Data.ErrorCode == "OCV001" && refused.Data.AttemptsRemaining > 0 {
		page(w, fmt.Sprintf(codeForm, "That code is not right. Try again."))
		return
	}
	page(w, ownForm)
}

func webhooks(w http.ResponseWriter, r *http.Request) {
	// The signature covers the bytes that arrived, so read the body raw and parse it after the check.
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !isGenuine(r.Header.Get("X-Webhook-Timestamp"), r.Header.Get("X-Webhook-Signature"), rawBody) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var event struct{ Event, HealthDataUUID string }
	if err := json.Unmarshal(rawBody, &event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Println(event.Event, event.HealthDataUUID)
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/start", start)
	http.HandleFunc("/finish", finish)
	http.HandleFunc("/webhooks", webhooks)
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { page(w, phoneForm) })
	port := setting("PORT", "4200")
	fmt.Println("Listening on http://localhost:" + port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
