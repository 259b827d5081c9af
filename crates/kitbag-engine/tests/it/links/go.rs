//! Go: packages are folders, methods stand in any file of them, embedded types lend theirs.

use super::check;

#[test]
fn idx_23_go_receivers_fields_and_results() {
    check(
        r#"
//- go.mod
module example.com/shop

go 1.22
//- cart.go
package shop

type Cart struct {
	Items  Stock
	parent *Cart
}

type Stock struct{}

func (s *Stock) Add(n int) {}

func NewCart() (*Cart, error) { return &Cart{}, nil }

func (c *Cart) Total() int {
	c.Items.Add(1)
	c.parent.Total()
	return c.sum()
}
//- more.go
package shop

import "fmt"

type Wheel struct{}

func (w Wheel) Add(n int) {}

type Trolley struct {
	Cart
	wheel Wheel
}

func (c *Cart) sum() int { return 0 }

func use(t Trolley, unknown any) {
	cart, err := NewCart()
	cart.Total()
	err.Error()
	t.Total()
	t.Cart.sum()
	t.wheel.Add(1)
	t.Items.Add(2)
	w := Wheel{}
	w.Add(3)
	p := new(Wheel)
	p.Add(4)
	fmt.Println(len("x"))
	if w, ok := unknown.(*Stock); ok {
		w.Add(5)
	}
	for _, w := range []Wheel{} {
		w.Add(6)
	}
}
"#,
        &[
            "cart.go:15 Add type cart.go:10",
            "cart.go:16 Total type cart.go:14",
            "cart.go:17 sum type more.go:14",
            "more.go:17 NewCart package cart.go:12",
            "more.go:18 Total type cart.go:14",
            "more.go:19 Error outside",
            "more.go:20 Total inherited cart.go:14",
            "more.go:21 sum type more.go:14",
            "more.go:22 Add type more.go:7",
            "more.go:23 Add type cart.go:10",
            "more.go:25 Add type more.go:7",
            "more.go:26 new outside",
            "more.go:27 Add type more.go:7",
            "more.go:28 Println outside",
            "more.go:28 len outside",
            "more.go:30 Add type cart.go:10",
            "more.go:33 Add name 2",
        ],
    );
}

#[test]
fn idx_23_go_packages_by_the_name_of_the_module() {
    check(
        r#"
//- go.mod
module example.com/shop/v2
//- shop.go
package shop

import (
	"encoding/json"
	"example.com/shop/v2/json"
	in "example.com/shop/v2/internal/input"
	"example.com/other/input"
	"example.com/shop/v2/api/v1"
)

func Run() {
	in.Read().Close()
	input.Read()
	helper()
	v1.Serve()
}
//- api/v1/api.go
package v1

func Serve() {}
//- shop_test.go
package shop

func helper() {}

func use() { Run() }
//- internal/input/input.go
package input

type File struct{}

func (File) Close() {}

func Read() *File { return nil }
//- cmd/main.go
package main

import "example.com/shop/v2"

func main() {
	shop.Run()
	shop.Missing()
}
//- json/json.go
package json
"#,
        &[
            "cmd/main.go:6 Run import shop.go:11",
            "cmd/main.go:7 Missing name 0",
            "shop.go:12 Close type internal/input/input.go:5",
            "shop.go:12 Read import internal/input/input.go:7",
            "shop.go:13 Read outside",
            "shop.go:14 helper outside",
            "shop.go:15 Serve import api/v1/api.go:3",
            "shop_test.go:5 Run package shop.go:11",
        ],
    );
}

#[test]
fn idx_23_go_embedded_methods_level_by_level() {
    check(
        r#"
//- go.mod
module example.com/shop
//- a.go
package shop

type Deep struct{}

func (Deep) Run() {}
func (Deep) Stop() {}

type Left struct{ Deep }

func (Left) Both() {}

type Right struct{}

func (Right) Run()  {}
func (Right) Both() {}

type Top struct {
	Left
	Right
}

func use(t Top) {
	t.Run()
	t.Stop()
	t.Both()
}
"#,
        &[
            "a.go:23 Run inherited a.go:14",
            "a.go:24 Stop inherited a.go:6",
            "a.go:25 Both name 2",
        ],
    );
}
